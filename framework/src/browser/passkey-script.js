// @ts-check
/**
 * Asks for a passkey when a form with `data-passkey` is sent, writes the answer into its field `response`, and sends the
 * form as the browser would. `passkeyForm` draws the forms, which are hidden until this script shows them.
 *
 * It encodes by itself what `parseCreationOptionsFromJSON` and `toJSON` would: older browsers lack them, and the objects
 * of some password managers cannot be written by `toJSON`.
 */

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll('form[data-passkey]');
const isSupported = 'PublicKeyCredential' in window;
const BYTES = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
];

/** The question that waits for a choice among usernames. @type {AbortController | undefined} */
let waiting;
/** Whether a form asks, or was sent just now: a second click does nothing. */
let isBusy = false;
/** Whether a form is sent with its answer. */
let isSending = false;

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));

/** @param {ArrayBuffer} buffer */
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '');

/** @param {HTMLFormElement} form @returns {any} */
const answerOf = (form) => form.querySelector('[name=response]');

/** @param {HTMLFormElement} form @param {string} [text] */
function say(form, text = '') {
  /** @type {any} */ (form.querySelector('[data-passkey-error]')).textContent = text;
}

/** @param {HTMLFormElement} form @param {object} [more] @param {HTMLElement | null} [submitter] */
async function ask(form, more, submitter) {
  const { passkey, options = '' } = form.dataset;
  const publicKey = JSON.parse(options);
  const { user = {}, excludeCredentials = [], allowCredentials = [] } = publicKey;
  publicKey.challenge = toBytes(publicKey.challenge);
  for (const one of [user, ...excludeCredentials, ...allowCredentials])
    if (one.id) one.id = toBytes(one.id);
  const method = passkey === 'add' ? 'create' : 'get';
  /** @type {any} */
  const { id, type, response } = await navigator.credentials[method]({ publicKey, ...more });
  /** @type {Record<string, unknown>} */
  const made = { transports: response.getTransports?.() };
  for (const name of BYTES) if (response[name]) made[name] = toText(response[name]);
  answerOf(form).value = JSON.stringify({ id, type, response: made });
  isBusy = isSending = true;
  // At once, it sends the event.
  form.requestSubmit(submitter);
  isSending = false;
  // The answer counts once: whoever presses the button again is asked again.
  setTimeout(reset, 5_000);
}

function reset() {
  isBusy = false;
  for (const form of forms) answerOf(form).value = '';
}

/** Offers passkeys among the usernames that the browser knows. */
async function offer() {
  const form = [...forms].find((one) => 'passkeyConditional' in one.dataset);
  const isPossible = form && (await PublicKeyCredential.isConditionalMediationAvailable?.());
  if (!isPossible || waiting || isBusy) return;
  waiting = new AbortController();
  // Nobody has asked for it, so a failure is not told.
  ask(form, { mediation: 'conditional', signal: waiting.signal }).catch(() => {});
}

function stopOffer() {
  waiting?.abort();
  waiting = undefined;
}

for (const form of forms) {
  const { passkey, unsupported, cancelled, known, failed } = form.dataset;
  form.hidden = !isSupported && passkey === 'sign-in';
  if (!isSupported) say(form, unsupported);
  form.addEventListener('submit', (event) => {
    if (isSending) return;
    event.preventDefault();
    if (isBusy || !isSupported) return;
    isBusy = true;
    // A browser answers one question at a time.
    stopOffer();
    say(form);
    ask(form, {}, event.submitter).catch(({ name }) => {
      const isCancelled = name === 'NotAllowedError';
      say(form, isCancelled ? cancelled : name === 'InvalidStateError' ? known : failed);
      reset();
      offer();
    });
  });
}

// At first, and when Back shows the page as it was left.
if (isSupported)
  addEventListener('pageshow', () => {
    reset();
    stopOffer();
    offer();
  });
