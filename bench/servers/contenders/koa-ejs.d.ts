/** What @koa/ejs adds to Koa; the package brings no types. */
declare module '@koa/ejs' {
  import type Koa from 'koa';

  interface Options {
    readonly root: string;
    readonly layout: string | false;
    readonly viewExt: string;
  }
  export default function render(app: Koa, options: Options): void;
}
