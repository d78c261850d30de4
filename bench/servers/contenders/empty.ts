/** The minimum that node:http can answer: an empty 200, or an empty 304 if the client sends a tag. */
import { createServer } from 'node:http';
import { host, KEEP_ALIVE, port } from './settings.ts';

const server = createServer((request, response) => {
  response.writeHead(request.headers['if-none-match'] === undefined ? 200 : 304).end();
});
server.keepAliveTimeout = KEEP_ALIVE;
server.listen(port, host);
