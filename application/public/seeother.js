// @ts-check
/**
 * What pages do beyond HTML. Each works without this file: `data-in-place` marks ordinary links and forms, whose answer
 * here replaces `main` instead of the page. If anything fails, the browser follows the same link or sends the same
 * form.
 */

/** A screen reader says its text when it changes. */
const said = document.createElement('p');
Object.assign(said, { className: 'visually-hidden', ariaLive: 'polite' });
document.body.append(said);

/* Answers in place */

/** @type {XMLHttpRequest | null} */
let running = null;
/** The second click of a double click sends nothing. */
let isSending = false;
/** The address of what the page shows. */
let shown = location.href.replace(/#.*/, '');

/**
 * Resolves to null without an answer, and never once there is a later request. `fetch` would have to write markup as
 * text, which Trusted Types refuse.
 *
 * @param {string} address
 * @param {URLSearchParams} [fields] of a form to post
 * @returns {Promise<XMLHttpRequest | null>}
 */
function load(address, fields) {
  running?.abort();
  const request = new XMLHttpRequest();
  running = request;
  isSending = fields !== undefined;
  request.open(fields === undefined ? 'GET' : 'POST', address);
  request.responseType = 'document';
  request.timeout = 8_000;
  request.setRequestHeader('Accept', 'text/html');
  request.send(fields);
  return new Promise((resolve) => {
    const end = (/** @type {XMLHttpRequest | null} */ answer) => {
      running = null;
      resolve(answer);
    };
    request.onload = () => end(request);
    request.onerror = request.ontimeout = () => end(null);
  });
}

/** @param {XMLHttpRequest} answer @param {string} address */
const isPage = ({ status, responseURL }, address) =>
  status === 200 && new URL(responseURL).pathname === new URL(address).pathname;

/** @param {XMLHttpRequest} answer @param {string} address */
function show({ responseXML: page }, address) {
  const main = document.querySelector('main');
  const next = page?.querySelector('main');
  const focused = document.activeElement ?? document.body;
  const { top } = focused.getBoundingClientRect();
  try {
    if (!main || !page || !next) throw new Error('no main part');
    const news = [...next.querySelectorAll('[role=status]')];
    const text = news.map((one) => (one.querySelector('p') ?? one).textContent).join(' ');
    // They are said here.
    for (const one of news) one.removeAttribute('role');
    update(main, next);
    // The search that the page was made for.
    const [old, made] = [document, page].map((one) => one.querySelector('header'));
    if (old && made) update(old, made);
    document.title = page.title;
    shown = address.replace(/#.*/, '');
    complete();
    if (!focused.isConnected) main.focus({ preventScroll: true });
    else if (focused !== document.body) keepAt(focused, top);
    said.textContent = text || page.title;
  } catch {
    location.assign(address);
  }
}

/** Also below a new message. @param {Element} element @param {number} top */
function keepAt(element, top) {
  const move = () => element.getBoundingClientRect().top - top;
  scrollBy(0, move());
  // The page is too short.
  if (move() >= 1) document.body.style.marginBottom = `${move()}px`;
  scrollBy(0, move());
}

/**
 * Makes `old` equal to `next`. What is equal already stays, with its focus, typed text and scrolling.
 *
 * @param {Element} old @param {Element} next
 */
function update(old, next) {
  if (old.isEqualNode(next)) return;
  for (const { name } of [...old.attributes, ...next.attributes]) {
    // The user has unfolded it.
    if (name === 'open' && old.nodeName === 'DETAILS') continue;
    const value = next.getAttribute(name);
    if (value === null) old.removeAttribute(name);
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  let at = old.firstChild;
  const stays = new Set();
  for (const child of [...next.childNodes]) {
    const same = findSame(at, child);
    stays.add(same ?? child);
    if (same === null) {
      old.insertBefore(child, at);
      continue;
    }
    if (same instanceof Element && child instanceof Element) update(same, child);
    else same.nodeValue = child.nodeValue;
    at = same.nextSibling;
  }
  for (const one of [...old.childNodes]) if (!stays.has(one)) one.remove();
}

/** @param {ChildNode} one */
function kindOf(one) {
  if (!(one instanceof Element)) return one.nodeName;
  const value = one instanceof HTMLButtonElement && one.value;
  return [one.nodeName, one.id, one.className, one.getAttribute('name'), value].join();
}

/** The first like `next` from `at` on; text at `at` only. @param {ChildNode | null} at @param {ChildNode} next */
function findSame(at, next) {
  let one = at;
  while (one !== null && kindOf(one) !== kindOf(next))
    one = next instanceof Element ? one.nextSibling : null;
  return one;
}

/** @param {string} address @param {boolean} isNew whether Back leads to the page before */
function follow(address, isNew) {
  return load(address).then((answer) => {
    if (!answer || !isPage(answer, address)) return location.assign(address);
    if (isNew) history.pushState(null, '', address);
    show(answer, address);
  });
}

addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.closest('[data-in-place], .items thead') || event.defaultPrevented || isSending)
    return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  link.focus();
  void follow(link.href, true);
  event.preventDefault();
});

addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
  if (form.closest('[data-in-place]')) {
    // Not every browser focuses a button that is clicked.
    event.submitter?.focus();
    if (!isSending) send(form, event.submitter);
    event.preventDefault();
  } else {
    clearTimeout(pause);
    running?.abort();
  }
});

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
function send(form, button) {
  const address = button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) fields.append(name, String(value));
  void load(address, fields).then((answer) => {
    // The browser itself shows an error: the same form gets it again.
    if (answer?.status !== 200) return sendAgain(address, fields);
    const { responseURL } = answer;
    if (responseURL !== shown) history.pushState(null, '', responseURL);
    show(answer, responseURL);
    isSending = false;
  });
}

/**
 * With the same `_once`, so a form that did arrive is not carried out again.
 *
 * @param {string} address @param {URLSearchParams} fields
 */
function sendAgain(address, fields) {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = address;
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of fields) formData.append(name, value);
  });
  document.body.append(form);
  form.submit();
}

addEventListener('popstate', async () => {
  if (location.href.replace(/#.*/, '') === shown) return;
  await follow(location.href, false);
  for (const form of document.forms) form.reset();
});

// The browser has stored the page as it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) [isSending, running] = [false, null];
});

/* Search: results as one types, and the key / */

/** That of the page itself, if it has one. @returns {HTMLInputElement | null} */
const searchField = () =>
  document.querySelector('main [type=search]:not(details:not([open]) *)') ??
  document.querySelector('#site-search');
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;
/** Until a search was refused: then only Enter searches. */
let isLive = true;

function searchSoon() {
  clearTimeout(pause);
  if (isLive) pause = setTimeout(search, 250);
}

async function search() {
  const { form = null, value = '' } = searchField() ?? {};
  // One at a time, because the server counts those that run. It leaves out single letters.
  if (running !== null) return searchSoon();
  // Results replace only results.
  if (form?.getAttribute('action') !== location.pathname || value.trim().length === 1) return;
  const fields = new URLSearchParams();
  for (const [name, one] of new FormData(form)) if (one) fields.append(name, String(one));
  const address = form.action + (fields.size === 0 ? '' : `?${fields}`);
  if (address === shown) return;
  const answer = await load(address);
  isLive = answer?.status === 200;
  // A search for a number can lead to the item itself.
  if (!answer || !isPage(answer, address)) return;
  history.replaceState(null, '', address);
  show(answer, address);
}

addEventListener('input', ({ target }) => {
  if (target === searchField()) searchSoon();
});

addEventListener('keydown', (event) => {
  const field = searchField();
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !field) return;
  if (document.activeElement?.matches('input, select, textarea')) return;
  field.select();
  event.preventDefault();
});

/* A file dropped anywhere on the page for files, or on one that leads there */

/** @returns {HTMLInputElement | null} */
const fileField = () => document.querySelector('[type=file]');
/** @returns {HTMLAnchorElement | null} */
const importLink = () => document.querySelector('main [href="/items/import"]');

addEventListener('dragover', (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  if (fileField() ?? importLink()) event.preventDefault();
});

addEventListener('drop', async (event) => {
  const [file] = event.dataTransfer?.files ?? [];
  const link = importLink();
  // The field itself takes a file without a script.
  if (file === undefined || event.target === fileField() || !(fileField() ?? link)) return;
  event.preventDefault();
  if (link !== null && fileField() === null) await follow(link.href, true);
  const field = fileField();
  if (field === null) return;
  const data = new DataTransfer();
  data.items.add(file);
  field.files = data.files;
  field.focus();
});

/* Links to copy, times that move on, rows ticked with Shift */

/** Also for a page that was replaced. */
function complete() {
  for (const address of document.querySelectorAll('code.address:last-child'))
    if (navigator.clipboard !== undefined) addCopyButton(address);
  // Others are days, or a clock is wrong.
  moving = [...document.querySelectorAll('time')].filter((time) =>
    // Pages of accounts say "now".
    [0, 60_000].some((late) => ago(time, late) === time.textContent?.replace(/^now$/, 'just now')),
  );
}

/** @param {Element} address */
function addCopyButton(address) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'quiet', textContent: 'Copy the link' });
  button.addEventListener('click', async () => {
    getSelection()?.selectAllChildren(address);
    await navigator.clipboard.writeText(address.textContent);
    said.textContent = button.textContent = 'Copied';
  });
  address.after(button);
}

/** @type {HTMLTimeElement[]} */
let moving = [];
/** As `formatAgo` writes it. @param {HTMLTimeElement} time */
function ago({ dateTime }, late = 0) {
  const minutes = (Date.now() - Date.parse(dateTime) - late) / 60_000;
  for (const [name, length] of Object.entries({ day: 1440, hour: 60, minute: 1 })) {
    const count = Math.floor(minutes / length);
    if (count > 0) return `${count} ${name}${count === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}

setInterval(() => {
  for (const time of moving) time.textContent = ago(time);
}, 20_000);

/** The checkbox clicked before. @type {HTMLInputElement | null} */
let before = null;

addEventListener('click', ({ target: box, shiftKey }) => {
  if (!(box instanceof HTMLInputElement) || !box.matches('tbody [type=checkbox]')) return;
  /** @type {HTMLInputElement[]} */
  const boxes = Array.from(document.querySelectorAll('tbody [type=checkbox]'));
  const ends = [boxes.indexOf(box), boxes.indexOf(before ?? box)];
  if (shiftKey)
    for (const one of boxes.slice(Math.min(...ends), Math.max(...ends))) one.checked = box.checked;
  before = box;
});

/** The number of what is ticked, also on other pages. */
function countTicks() {
  const { length } = document.querySelectorAll('tbody [type=checkbox]:checked');
  for (const count of document.querySelectorAll('[data-others]')) {
    const all = length + Number(count.getAttribute('data-others'));
    count.textContent = count.textContent.replace(/^\d+/, String(all));
  }
}

addEventListener('change', countTicks);
// The browser has restored ticks.
addEventListener('pageshow', countTicks);

complete();
