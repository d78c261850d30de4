/**
 * A slow connection for stories of double clicks: requests arrive at once, answers are delayed. It can also
 * lose an answer. It is a proxy of the browser, so that the site keeps its own address.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Story } from './browser.ts';
import type { Site } from './open-site.ts';

/** Milliseconds by which every answer is delayed: longer than a double click, also on a busy machine. */
const LATE = 1_500;

/** A tunnel for https; browsers send plain http requests to the proxy directly. */
const CONNECT = /^CONNECT [^\r\n]+(?:\r\n[^\r\n]+)*\r\n\r\n/;

/** No delay until `isSlow` is set. */
export interface SlowLine {
  isSlow: boolean;
  /** The next request that begins with it gets no answer: its connection is closed. Over http only. */
  losing: string;
}

/** Tells a story on a page that reaches the site over a line of its own. */
export function overSlowLine(
  tell: (page: Page, line: SlowLine, site: Site) => Promise<void>,
  options: BrowserContextOptions = {},
) {
  return async ({ openBrowser, site }: Story): Promise<void> => {
    const { line, proxy, close } = await openSlowLine(site.url);
    try {
      await tell(await (await openBrowser({ ...options, proxy })).newPage(), line, site);
    } finally {
      close();
    }
  };
}

async function openSlowLine(url: string) {
  const line: SlowLine = { isSlow: false, losing: '' };
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
      // What comes when the line is fast again still waits for what came before.
      const due = Promise.all([written, line.isSlow ? setTimeout(LATE) : null]);
      written = due.then(() => void client.write(data));
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => setTimeout(LATE).then(() => other.destroy()));
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: ours } = proxy.address() as AddressInfo;
  // Without the rule a browser asks no proxy for an address of its own machine.
  const settings = { server: `http://127.0.0.1:${ours}`, bypass: '<-loopback>' };
  return { line, proxy: settings, close: () => proxy.close() };
}
