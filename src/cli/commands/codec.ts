/** The codec server as a process of its own. */
export const codec = {
  name: 'codec',
  summary: 'decode private payloads for Temporal UI and CLI (STEADFAST_CODEC_*), until Ctrl-C',
  run: async (): Promise<void> => {
    const program: typeof import('../../privacy/runCodecServer') =
      require('../../privacy/runCodecServer');
    await program.runCodecServer();
  },
};
