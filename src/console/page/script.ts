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
  }).catch(() => undefined);
  // Something in front of the console may answer in words of its own.
  const told = await answer?.json().catch(() => undefined);
  if (told === undefined) throw new Error(lost);
  if (!answer.ok) throw new Error(told.message);
  return told;
}

const lost = 'The console has not answered. Load the page again, and look what was done.';
const unanswered = 'Your device has not answered, or you have cancelled. ' +
  'Nothing was signed. Try again.';

// Browsers tell why a device refuses in words for programmers.
async function byDevice(asked) {
  try {
    return await asked;
  } catch (error) {
    throw error.name === 'NotAllowedError' ? new Error(unanswered) : error;
  }
}

async function touch({ challenge, credentialIds }) {
  const made = await byDevice(navigator.credentials.get({ publicKey: {
    challenge: decode(challenge),
    allowCredentials: credentialIds.map((id) => ({ type: 'public-key', id: decode(id) })),
    userVerification: 'required',
    timeout: 240000,
  } }));
  const { authenticatorData, clientDataJSON, signature } = made.response;
  return {
    credentialId: encode(made.rawId),
    authenticatorData: encode(authenticatorData),
    clientDataJSON: encode(clientDataJSON),
    signature: encode(signature),
  };
}

async function create(person, { use, challenge, isFound }) {
  const made = await byDevice(navigator.credentials.create({ publicKey: {
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
  } }));
  return {
    credentialId: encode(made.rawId),
    publicKey: btoa(String.fromCharCode(...new Uint8Array(made.response.getPublicKey()))),
    authenticatorData: encode(made.response.getAuthenticatorData()),
    clientDataJSON: encode(made.response.clientDataJSON),
  };
}

function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(',')[1] || '');
    reader.onerror = () => reject(new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}

async function filled(form) {
  const body = {};
  for (const { name, type, value, checked, files, dataset } of form.elements) {
    if (name === '') continue;
    if (type === 'file') {
      const [file] = files;
      if (file === undefined) throw new Error('Choose a file.');
      if (file.size > Number(dataset.max)) {
        const words = ' bytes, and a page takes ' + dataset.max + '. ';
        throw new Error(file.name + ' has ' + file.size + words + dataset.way);
      }
      body.name = file.name;
      body.file = await base64(file);
    } else if (type !== 'checkbox') body[name] = value;
    else if (dataset.list === undefined) body[name] = checked;
    else body[name] = [...(body[name] || []), ...(checked ? [value] : [])];
  }
  return body;
}

// Actions that go on, and faults that somebody reads.
let busy = 0;

// Not all pages of a payout load at the same moment. None loads while somebody acts on it.
function renew() {
  setTimeout(() => { busy === 0 ? location.reload() : renew(); }, Math.random() * 3000);
}

// The page is loaded again, and goes on telling what was done.
function told({ message }, next = location.href) {
  tell(message);
  sessionStorage.setItem('told', message);
  setTimeout(() => { location.href === next ? location.reload() : location.assign(next); }, 1500);
}

function reasonIn({ reason }, words = 'Give a reason.') {
  if (reason.value.trim() !== '') return reason.value;
  reason.focus();
  throw new Error(words);
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
  async decide({ form, dataset: { path, target, digest, purpose } }) {
    const words = 'Give the reason why you reject it.';
    const reason = purpose === 'rejection' ? reasonIn(form, words) : '';
    const asked = await post(path + '/challenge', { target, digest, purpose });
    const made = await touch(asked);
    const { at, expires } = asked;
    told(await post(path, { target, digest, purpose, reason, at, expires, made }));
  },
  async draft({ form, dataset: { path } }) {
    const body = await filled(form);
    tell('It is read and checked.');
    location.assign((await post(path, body)).path);
  },
  async request({ dataset: { path } }) {
    const asked = await post(path + '/challenge', {});
    const made = await touch(asked);
    tell('It is handed over. Keep this page open.');
    const answer = await post(path, { made });
    told(answer, answer.path);
  },
  async retry({ dataset }) {
    const { path, line, despite } = dataset;
    const answer = await post(path, { lineId: line, despite });
    if (answer.despite === undefined) return told(answer);
    dataset.despite = answer.despite;
    throw new Error(answer.message);
  },
  async resume({ dataset: { path } }) {
    told(await post(path, {}));
  },
  async stop({ form, dataset: { path } }) {
    told(await post(path, { reason: reasonIn(form) }));
  },
  async withdraw({ form, dataset: { path } }) {
    const reason = reasonIn(form);
    const { at, ...asked } = await post(path + '/challenge', {});
    told(await post(path, { reason, at, made: await touch(asked) }));
  },
};

document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-action]');
  if (button === null) return;
  button.disabled = true;
  busy += 1;
  tell('');
  actions[button.dataset.action](button)
    .then(() => { busy -= 1; }, (error) => {
      tell(error.message, 'bad');
      setTimeout(() => { busy -= 1; }, 10000);
    })
    .finally(() => { button.disabled = false; });
});

tell(sessionStorage.getItem('told') || '');
sessionStorage.removeItem('told');

// The return key sends no form that has a button of the script.
document.addEventListener('submit', (event) => {
  if (event.target.getAttribute('action') === null) event.preventDefault();
});

for (const time of document.querySelectorAll('time')) {
  const at = new Date(time.dateTime);
  time.title = time.textContent;
  time.textContent = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}

const live = document.querySelector('[data-live]');
if (live !== null) {
  const source = new EventSource(live.dataset.live);
  let failures = 0;
  source.onopen = () => { failures = 0; };
  // The browser comes back by itself after a stream that ends, but not after a refusal.
  source.onerror = () => {
    failures += 1;
    if (source.readyState !== EventSource.CLOSED && failures < 3) return;
    tell('This page is not live any more. Load it again.', 'bad');
  };
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
      if (live.dataset.isOver !== 'true') renew();
    }
  };
}
`;
