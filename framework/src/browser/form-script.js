// @ts-check
/**
 * What a form does while one types, beyond HTML: `forms: { script: true }` of `createSite` serves it minified, as
 * `npm run form-script` writes it. Everything works without it: if a request or this file fails, the form stays an
 * ordinary form.
 *
 * It asks the server with the buttons that change nothing but the form (`_change`), and takes over parts of the page
 * that answers. `XMLHttpRequest` parses that page: with `fetch` it would be text, which Trusted Types refuse. Fields
 * may have names such as `action`, so what the form itself has is read by its attributes.
 */

const on = addEventListener;
const FORMS = 'form[data-typing]';
const SECRETS = '[type=password],[type=file],[autocomplete*=password]';
const TICKS = '[type=radio],[type=checkbox]';

/* Asking */

/**
 * The request that an element waits for: a field its check, a form its update.
 *
 * @type {Map<Element, XMLHttpRequest>}
 */
const running = new Map();
/** No request before this time. */
let quietUntil = 0;

const active = () => document.activeElement;
/** @param {string} name @param {object} properties @returns {any} */
const make = (name, properties) => Object.assign(document.createElement(name), properties);
/** @param {Element | null} element @param {string} name */
const attribute = (element, name) => element?.getAttribute(name) ?? '';

/** A request whose answer is parsed as a page. @param {string} address */
function openRequest(address) {
  const request = new XMLHttpRequest();
  request.open('POST', address);
  request.responseType = 'document';
  return request;
}

/** @param {Element} owner */
function stop(owner) {
  const request = running.get(owner);
  // `abort` calls `onloadend` at once.
  running.delete(owner);
  request?.abort();
}

/**
 * Sends what is typed, without passwords and files. `done` gets the form on the page that answers, unless the owner has
 * stopped it.
 *
 * @param {HTMLFormElement} form @param {string} change @param {Element} owner
 * @param {(next: HTMLFormElement) => void} done
 * @param {() => void} [failed]
 */
function ask(form, change, owner, done, failed) {
  stop(owner);
  if (Date.now() < quietUntil) return failed?.();
  const fields = new FormData(form);
  /** @type {NodeListOf<HTMLInputElement>} */
  const secrets = form.querySelectorAll(SECRETS);
  for (const { name } of secrets) fields.delete(name);
  fields.set('_change', change);
  const address = attribute(form, 'action');
  const request = openRequest(address);
  running.set(owner, request);
  request.timeout = 8_000;
  request.onloadend = () => {
    if (running.get(owner) !== request) return;
    running.delete(owner);
    const { status, responseXML: page } = request;
    /** @type {HTMLFormElement | null | undefined} */
    const next = page?.querySelector(`${FORMS}[action="${CSS.escape(address)}"]`);
    if (status === 200 && next) return done(next);
    // Too many, or the server is away. Nothing else changes by itself, such as a session that has ended.
    const isAway = status === 0 || status === 429 || status === 503;
    const seconds = Number(request.getResponseHeader('Retry-After')) || 60;
    quietUntil = isAway ? Date.now() + seconds * 1_000 : Infinity;
    failed?.();
  };
  request.send(
    attribute(form, 'enctype') ? fields : new URLSearchParams(/** @type {any} */ (fields)),
  );
}

/** A screen reader says its text when it changes. */
const said = make('p', { className: 'visually-hidden', ariaLive: 'polite' });
document.body.append(said);

/** @param {string | null} text */
function say(text) {
  said.textContent = text;
}

/* Which field */

/**
 * The field of a control in a form of the framework.
 *
 * @param {any} target
 * @returns {{ field: Element, form: HTMLFormElement } | { field?: undefined, form?: undefined }}
 */
function fieldOf(target) {
  const field = target.closest?.(`${FORMS} .field`);
  return field ? { field, form: field.closest(FORMS) } : {};
}

/** A field with its controls and labels; nothing for another element. @param {Element} field */
const partsOf = (field) =>
  [field, ...field.querySelectorAll('input,select,textarea,label')].filter(
    (one) => one.closest('.field') === field,
  );

/** @param {Element} old @param {Element} next @param {readonly string[]} names */
function copy(old, next, names) {
  for (const name of names) {
    const value = next.getAttribute(name);
    if (value === null) old.removeAttribute(name);
    else if (value !== old.getAttribute(name)) old.setAttribute(name, value);
  }
}

/* A field that was changed is checked when it is left */

/** @type {Set<Element>} */
const changed = new Set();
/** A message that moves the page while a button is pressed would make the click miss it. */
let isPressed = false;
for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
  on(
    type,
    () => {
      isPressed = type === 'pointerdown';
    },
    true,
  );

/** @param {() => void} act */
function whenReleased(act) {
  if (isPressed) setTimeout(whenReleased, 50, act);
  else setTimeout(act);
}

on('focusout', ({ target, relatedTarget }) => {
  const { field, form } = fieldOf(target);
  if (!field || !changed.has(field)) return;
  // Within a date, or in another window.
  if ([relatedTarget, active()].some((one) => field.contains(/** @type {any} */ (one)))) return;
  changed.delete(field);
  const name = attribute(/** @type {Element} */ (target), 'name');
  if (name === '' || field.querySelector(SECRETS)) return;
  ask(form, `check ${name}`, field, (next) => {
    const made = next.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`);
    const other = made?.closest('.field');
    if (other) whenReleased(() => changed.has(field) || showCheck(field, other));
  });
});

/** @param {Element} field @param {Element} next as the server draws it */
function showCheck(field, next) {
  const [old, message] = [field, next].map((one) => one.querySelector(':scope > .field-error'));
  const own = partsOf(field);
  if (old?.textContent !== message?.textContent) {
    old?.remove();
    if (message)
      field.insertBefore(message, field.children[[...next.children].indexOf(message)] ?? null);
    say(message?.textContent ?? '');
  }
  // Of a date, the wrong part has the id that the message leads to.
  for (const [at, made] of partsOf(next).entries())
    copy(own[at] ?? made, made, ['id', 'class', 'for', 'aria-invalid', 'aria-describedby']);
}

/* What depends on a field follows while one types in it */

/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;
/** The button that is due, or has no answer yet. @type {HTMLButtonElement | null} */
let updating = null;

on('input', ({ target }) => {
  const { field, form } = fieldOf(target);
  if (!field) return;
  changed.add(field);
  stop(field);
  // The timer of the first change stays: somebody who types on and on is saved, too.
  if (!unsaved.get(form)) unsaved.set(form, savedIn(form) ? setTimeout(save, 3_000, form) : 0);
  updating =
    field.querySelector(':scope > button[name=_change][value^="update "]') ??
    (form.contains(updating) ? updating : null);
  if (!updating) return;
  const { value } = updating;
  // A later answer has what is typed now.
  stop(form);
  clearTimeout(pause);
  const isTyped = /** @type {Element} */ (target).matches(`textarea,input:not(${TICKS})`);
  pause = setTimeout(
    () =>
      ask(form, value, form, (next) => {
        updating = null;
        showUpdate(form, next);
      }),
    isTyped ? 300 : 0,
  );
});

/** @param {HTMLFormElement} form @param {HTMLFormElement} next */
function showUpdate(form, next) {
  const before = choicesOf(form);
  update(form.closest('main') ?? form, next.closest('main') ?? next);
  const after = choicesOf(form);
  const news = [...new Map([...before, ...after]).keys()].filter(
    (name) => `${before.get(name)}` !== `${after.get(name)}`,
  );
  const { length } = news.flatMap((name) => after.get(name) ?? []);
  if (news.length) say(attribute(form, 'data-typing').replace('#', `${length}`));
}

/** The values that each choice offers. @param {HTMLFormElement} form */
function choicesOf(form) {
  /** @type {Map<string, string[]>} */
  const all = new Map();
  /** @type {NodeListOf<HTMLInputElement | HTMLOptionElement>} */
  const choices = form.querySelectorAll(`.field :is(${TICKS},option)`);
  for (const one of choices) {
    const name = attribute(one.closest('[name]'), 'name');
    if (one.value) all.set(name, [...(all.get(name) ?? []), one.value]);
  }
  return all;
}

/**
 * Makes `old` equal to `next`. What is equal already stays, with its focus, caret and typed text; passwords and files,
 * which were not sent, stay as they are.
 *
 * @param {Element} old @param {Element} next
 */
function update(old, next) {
  if (old.matches(TICKS) && old !== active())
    /** @type {HTMLInputElement} */ (old).checked = next.hasAttribute('checked');
  if (old.isEqualNode(next)) return;
  if (partsOf(old).some((one) => one.matches(SECRETS))) return;
  if (old.matches('select')) {
    if (old !== active()) old.replaceWith(next);
    return;
  }
  const names = [...old.attributes, ...next.attributes].map(({ name }) => name);
  // The user has unfolded the details.
  copy(
    old,
    next,
    names.filter((name) => name !== 'open'),
  );
  let at = old.firstChild;
  const stays = new Set();
  for (const child of [...next.childNodes]) {
    const same = findSame(at, child);
    stays.add(same ?? child);
    if (same === null) {
      old.insertBefore(child, at);
      continue;
    }
    at = same.nextSibling;
    if (child instanceof Element) {
      update(/** @type {Element} */ (same), child);
      if (!same.isConnected) stays.add(child);
    } else if (same.nodeValue !== child.nodeValue) same.nodeValue = child.nodeValue;
  }
  for (const one of [...old.childNodes]) if (!stays.has(one)) one.remove();
}

/** @param {ChildNode} one */
function kindOf(one) {
  if (!(one instanceof Element)) return one.nodeName;
  const known = ['id', 'class', 'name'].map((name) => attribute(one, name));
  // A text has another value and is the same field.
  if (one.matches(`button,${TICKS}`)) known.push(attribute(one, 'value'));
  return [one.nodeName, ...known].join().replace(' has-error', '');
}

/** The first like `next` from `at` on; text at `at` only. @param {ChildNode | null} at @param {ChildNode} next */
function findSame(at, next) {
  let one = at;
  while (one !== null && kindOf(one) !== kindOf(next))
    one = next instanceof Element ? one.nextSibling : null;
  return one;
}

/* A long form is saved while one types */

/** The forms that have text which was not saved, and when they will be. @type {Map<HTMLFormElement, any>} */
const unsaved = new Map();
/** @param {HTMLFormElement} form @returns {HTMLInputElement | null} */
const savedIn = (form) => form.querySelector('[name=_saved]');

/** What follows the time. @param {Element} note */
const toNews = (note) => note.lastChild?.textContent;

/** @param {HTMLFormElement} form */
function save(form) {
  const saved = savedIn(form);
  // It was saved or sent meanwhile.
  if (!saved || !unsaved.has(form)) return;
  // What is typed from now on is saved the next time.
  unsaved.delete(form);
  const lost = () => {
    unsaved.set(form, 0);
  };
  ask(
    form,
    'autosave',
    saved,
    (next) => {
      const made = savedIn(next);
      if (!made) return lost();
      // It was not saved, as the note says.
      if (made.value === saved.value) lost();
      saved.value = made.value;
      /** @type {any[]} */
      const [old, note] = [form, next].map((one) => one.querySelector('.saving .hint'));
      for (const time of note.querySelectorAll('time'))
        time.textContent = new Date(time.dateTime).toLocaleTimeString([], { timeStyle: 'short' });
      // Said the first time, and if there is something new beside the time.
      if (toNews(note) !== toNews(old)) say(note.textContent);
      old.replaceWith(note);
    },
    lost,
  );
}

on('visibilitychange', () => {
  for (const form of [...unsaved.keys()]) save(form);
});

// What could not be saved, and what a visitor has typed.
on('beforeunload', (event) => {
  const isLost = [...unsaved].some(
    ([form, timer]) => timer === 0 && (savedIn(form) || form.matches('[data-warns]')),
  );
  if (isLost) event.preventDefault();
});

/* A chosen picture is shown below its field */

on('change', async ({ target }) => {
  const { field } = fieldOf(target);
  const input = /** @type {any} */ (target);
  if (!field) return;
  for (const one of field.querySelectorAll('canvas')) one.remove();
  for (const file of input.files ?? []) {
    const picture = file.type.match('image/') && (await createImageBitmap(file).catch(() => null));
    if (!picture) continue;
    const { width, height } = picture;
    const scale = Math.min(1, 160 / Math.max(width, height));
    const size = { width: width * scale, height: height * scale };
    const canvas = make('canvas', { ...size, role: 'img', ariaLabel: file.name });
    canvas.getContext('2d').drawImage(picture, 0, 0, size.width, size.height);
    picture.close();
    // Another may have been chosen meanwhile.
    if ([...input.files].includes(file)) field.append(canvas);
  }
});

/* The form is sent: files with their progress */

const TELL = 'Tell-Location';
let uploading = false;

on('submit', (event) => {
  quietUntil = Date.now() + 10_000;
  unsaved.clear();
  for (const owner of running.keys()) stop(owner);
  const { submitter } = event;
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || !form.matches(FORMS)) return;
  const fields = new FormData(form, submitter);
  if (![...fields.values()].some((one) => one instanceof File && one.size)) return;
  event.preventDefault();
  // The second click of a double click.
  if (uploading) return;
  const request = openRequest(attribute(submitter, 'formaction') || attribute(form, 'action'));
  uploading = true;
  const bar = make('progress', { ariaLabel: attribute(form, 'data-uploading') });
  const cancel = make('button', {
    type: 'button',
    className: 'quiet',
    textContent: attribute(form, 'data-cancel'),
  });
  form.append(bar, cancel);
  const end = () => {
    uploading = false;
    bar.remove();
    cancel.remove();
  };
  // Back shows the page as it was left.
  on('pagehide', end);
  const sendAsEver = () => {
    // From now on, it is an ordinary form.
    form.removeAttribute('data-typing');
    form.requestSubmit(submitter);
  };
  cancel.onclick = () => {
    end();
    request.abort();
    submitter?.focus();
  };
  request.upload.onprogress = ({ loaded, total }) => {
    bar.value = loaded / total;
  };
  // The next page is left to the browser, with the message that it shows once.
  request.setRequestHeader(TELL, '1');
  request.onload = () => {
    const next = request.getResponseHeader(TELL);
    if (next !== null) return location.assign(next);
    const { status, responseXML: page } = request;
    // From these pages, only the Back of the browser leads to the form.
    if (!page || status === 413 || status === 500) return sendAsEver();
    end();
    document.title = page.title;
    page.body.append(said);
    document.body.replaceWith(page.body);
    /** @type {HTMLElement | null} */ (document.querySelector('[autofocus]'))?.focus();
  };
  request.onerror = sendAsEver;
  request.send(fields);
});

// The browser has stored the page as it was left.
on('pageshow', () => {
  quietUntil = 0;
});
