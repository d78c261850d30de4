/**
 * A slow connection for stories of double clicks: requests arrive at once, and answers wait until the form of the
 * second click has arrived too. It can also lose an answer. It is a proxy of the browser, so that the site keeps its
 * own address.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Story } from './browser.ts';
import type { Site } from './open-site.ts';

/** Milliseconds for a form to arrive, on a busy machine too. */
const ARRIVAL_LIMIT = 30_000;

/** In the log of a site, a form that counted or was a repetition. What a script asks about a field is no such form. */
const FORM = /\[POST\] \S+ 303/g;

/** A tunnel for https; browsers send plain http requests to the proxy directly. */
const CONNECT = /^CONNECT [^\r\n]+(?:\r\n[^\r\n]+)*\r\n\r\n/;

export interface SlowLine {
  /** Answers wait from now on, until `release`. */
  readonly hold: () => void;
  readonly release: () => void;
  /** How many forms the site has answered so far with a redirect. */
  readonly countForms: () => number;
  /** The next request that begins with it gets no answer: its connection is closed. Over http only. */
  losing: string;
}

/** Tells a story on a page that reaches the site over a line of its own. */
export function overSlowLine(
  tell: (page: Page, line: SlowLine, site: Site) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  return async ({ openBrowser, site }: Story): Promise<void> => {
    const { line, proxy, close } = await openSlowLine(site);
    try {
      await tell(await (await openBrowser({ ...options, proxy })).newPage(), line, site);
    } finally {
      close();
    }
  };
}

/**
 * A slow double click: the site has answered both forms when the browser gets the first answer. A browser drops the
 * form of the first click if the second click comes before it was sent, so the second one waits for its answer.
 */
export async function clickTwice(line: SlowLine, button: Locator): Promise<void> {
  const before = line.countForms();
  // A locator would not click while the next page is on its way.
  const { mouse } = button.page();
  await button.hover();
  line.hold();
  try {
    for (const clickCount of [1, 2]) {
      await mouse.down({ clickCount });
      await mouse.up({ clickCount });
      await formsArrive(line, before + clickCount);
    }
  } finally {
    line.release();
  }
}

async function formsArrive(line: SlowLine, count: number): Promise<void> {
  const deadline = Date.now() + ARRIVAL_LIMIT;
  while (line.countForms() < count) {
    if (Date.now() > deadline) throw new Error('A click of the double click sent no form.');
    await setTimeout(10);
  }
}

async function openSlowLine({ url, log }: Site) {
  let held: PromiseWithResolvers<void> | undefined;
  const line: SlowLine = {
    hold() {
      held = Promise.withResolvers();
    },
    release() {
      held?.resolve();
    },
    countForms: () => log().match(FORM)?.length ?? 0,
    losing: '',
  };
  const { port, hostname } = new URL(url);
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    let isLost = false;
    const lose = (data: Buffer) => {
      if (line.losing === '' || !data.toString('latin1').startsWith(line.losing)) return;
      isLost = true;
      line.losing = '';
    };
    client.once('data', (first: Buffer) => {
      const head = CONNECT.exec(first.toString('latin1'))?.[0] ?? '';
      if (head !== '') client.write('HTTP/1.1 200 OK\r\n\r\n');
      server.write(first.subarray(head.length));
      lose(first);
      client.on('data', (data: Buffer) => {
        lose(data);
        server.write(data);
      });
    });
    let written = Promise.resolve();
    server.on('data', (data) => {
      if (isLost) return void client.destroy();
      written = Promise.all([written, held?.promise]).then(() => void client.write(data));
    });
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
    // What has arrived goes on.
    client.on('close', () => server.end());
    server.on('close', () => written.then(() => client.end()));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: ours } = proxy.address() as AddressInfo;
  // Without the rule a browser asks no proxy for an address of its own machine.
  const settings = { server: `http://127.0.0.1:${ours}`, bypass: '<-loopback>' };
  return { line, proxy: settings, close: () => proxy.close() };
}
