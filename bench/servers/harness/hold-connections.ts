/**
 * Opens connections, waits for one answer on each, and keeps them open. It tells its parent when all of
 * them wait, and on request how many are open. They come from several addresses, so that ports do not
 * run out; the limit is the number of open files (`ulimit -Hn`).
 */
import { connect } from 'node:net';

const [url = '', count] = process.argv.slice(2);
const { hostname, port, host } = new URL(url);
const REQUEST = `GET /items/42 HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
/** At a time: fewer than the server's queue of new connections takes. */
const AT_ONCE = 200;
const ADDRESSES = 8;

let open = 0;

function openOne(index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const localAddress = `127.0.0.${2 + (index % ADDRESSES)}`;
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.once('connect', () => {
      open++;
      socket.once('close', () => open--);
      socket.write(REQUEST);
    });
    socket.once('data', () => resolve());
    socket.once('error', reject);
  });
}

for (let index = 0; index < Number(count); index += AT_ONCE) {
  const size = Math.min(AT_ONCE, Number(count) - index);
  await Promise.all(Array.from({ length: size }, (_, at) => openOne(index + at)));
}
process.on('message', () => process.send?.(open));
process.send?.(open);
