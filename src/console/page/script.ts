/**
 * The script of all pages. It asks passkeys, listens to what goes on, and writes times in the zone
 * of the reader. It decides nothing.
 */
export const script = `'use strict';
const encode = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
const decode = (text) => Uint8Array.from(
  atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

function tell(words, kind) {
  const told = document.getElementById('told');
  told.textContent = words;
  told.dataset.kind = kind || '';
}

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf': document.body.dataset.csrf },
    body: JSON.stringify(body),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.message);
  return told;
}

async function touch({ challenge, credentialIds }) {
  const made = await navigator.credentials.get({ publicKey: {
    challenge: decode(challenge),
    allowCredentials: credentialIds.map((id) => ({ type: 'public-key', id: decode(id) })),
    userVerification: 'required',
    timeout: 240000,
  } });
  const { authenticatorData, clientDataJSON, signature } = made.response;
  return {
    credentialId: encode(made.rawId),
    authenticatorData: encode(authenticatorData),
    clientDataJSON: encode(clientDataJSON),
    signature: encode(signature),
  };
}

async function create(person, { use, challenge, isFound }) {
  const made = await navigator.credentials.create({ publicKey: {
    challenge: decode(challenge),
    rp: { name: 'Steadfast' },
    user: {
      id: crypto.getRandomValues(new Uint8Array(16)),
      name: person + ' ' + use,
      displayName: person + ' ' + use,
    },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }, { type: 'public-key', alg: -257 }],
    authenticatorSelection: {
      residentKey: isFound ? 'required' : 'discouraged',
      userVerification: 'required',
    },
    timeout: 240000,
  } });
  return {
    credentialId: encode(made.rawId),
    publicKey: btoa(String.fromCharCode(...new Uint8Array(made.response.getPublicKey()))),
    authenticatorData: encode(made.response.getAuthenticatorData()),
    clientDataJSON: encode(made.response.clientDataJSON),
  };
}

const actions = {
  async signIn() {
    const asked = await post('/sign-in/challenge', {});
    await post('/sign-in', { challenge: asked.challenge, made: await touch(asked) });
    location.assign('/approvals');
  },
  async enrol({ dataset: { person, path, asked } }) {
    const [signIn, approval] = JSON.parse(asked);
    const made = {
      signIn: await create(person, signIn),
      approval: await create(person, approval),
    };
    const { digits } = await post(path, made);
    tell('Done. Read these digits to the owner of the policy: ' + digits);
  },
  async decide({ dataset: { path, target, digest, purpose } }) {
    const form = document.getElementById('decide');
    const reason = form.reason.value;
    if (purpose === 'rejection' && reason.trim() === '') {
      form.reason.focus();
      throw new Error('Give the reason why you reject it.');
    }
    const asked = await post(path + '/challenge', { target, digest, purpose });
    const made = await touch(asked);
    const { at, expires } = asked;
    const { message } = await post(path, { target, digest, purpose, reason, at, expires, made });
    tell(message);
    setTimeout(() => location.reload(), 1500);
  },
};

document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-action]');
  if (button === null) return;
  button.disabled = true;
  tell('');
  actions[button.dataset.action](button)
    .catch((error) => tell(error.message, 'bad'))
    .finally(() => { button.disabled = false; });
});

for (const time of document.querySelectorAll('time')) {
  const at = new Date(time.dateTime);
  time.title = time.textContent;
  time.textContent = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}

const live = document.querySelector('[data-live]');
if (live !== null) {
  const source = new EventSource(live.dataset.live);
  source.onmessage = ({ data }) => {
    const told = JSON.parse(data);
    for (const part of live.querySelectorAll('[data-told]')) {
      const value = told[part.dataset.told];
      if (value === undefined) continue;
      if (part instanceof HTMLProgressElement) part.value = value;
      else part.textContent = value;
    }
    if (told.isOver) {
      source.close();
      if (live.dataset.isOver !== 'true') location.reload();
    }
  };
}
`;
