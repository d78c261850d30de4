/** Sends the requests of a visitor over a real socket: `createVisitor(reachInstance(url))`. */
import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Application } from 'seeother/node';

/** `locate` returns the address of the instance for each request. */
export function reachInstance(locate: () => string): Application {
  return {
    async handle({ method, target, headers, body }) {
      const message = openRequest(`${locate()}${target}`, { method, headers });
      for await (const chunk of body ?? []) message.write(chunk);
      message.end();
      const [answer] = (await once(message, 'response')) as [IncomingMessage];
      const { location, 'set-cookie': cookies = [] } = answer.headers;
      return {
        status: answer.statusCode ?? 0,
        headers: { 'Set-Cookie': cookies, ...(location !== undefined && { Location: location }) },
        body: await text(answer),
      };
    },
  };
}
