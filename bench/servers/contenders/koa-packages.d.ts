/** Types for two Koa packages that have none. */
declare module '@koa/ejs' {
  import type Koa from 'koa';

  interface Options {
    readonly root: string;
    readonly layout: string | false;
    readonly viewExt: string;
  }
  export default function render(app: Koa, options: Options): void;
}

declare module 'koa-pino-logger' {
  import type { Middleware } from 'koa';

  export default function logger(): Middleware;
}
