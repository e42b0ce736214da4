/** The codes of gRPC that say that waiting does not help. */
const codes = { notFound: 5, permissionDenied: 7, unauthenticated: 16 };

/**
 * Explains an error of the connection to Temporal: names the variable and a way out. Returns
 * undefined for any other error. Imports nothing, since the command line needs it before anything
 * is loaded.
 */
export function temporalFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const namespace = missingNamespace(error);
  if (namespace !== undefined) {
    return (
      `TEMPORAL_NAMESPACE: Temporal has no namespace "${namespace}". Set it to one that is there, ` +
      `or create it: temporal operator namespace create -n ${namespace} --retention 30d`
    );
  }
  const code = codeOf(error);
  if (code !== codes.permissionDenied && code !== codes.unauthenticated) return undefined;
  return (
    `TEMPORAL_API_KEY: Temporal refuses it, or the certificate (${reasonOf(error)}). Check ` +
    'TEMPORAL_API_KEY, TEMPORAL_TLS_CLIENT_CERT_PATH and whether they may use TEMPORAL_NAMESPACE.'
  );
}

function missingNamespace(error: Error): string | undefined {
  if (error.name === 'NamespaceNotFoundError' && 'namespace' in error) {
    return String(error.namespace);
  }
  if (codeOf(error) !== codes.notFound) return undefined;
  return /Namespace (\S+) is not found/.exec(error.message)?.[1];
}

/** Reads gRPC's code of an error, or of its cause when a client has wrapped it. */
function codeOf(error: Error): unknown {
  if ('code' in error && error.code !== undefined) return error.code;
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}

function reasonOf(error: Error): string {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.replace(/^\d+ [A-Z_]+: /, '').replace(/\.$/, '');
}
