/** The routers that are compared, each behind the same two steps: make it, look a path up. */
import FindMyWay from 'find-my-way';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { Memoirist } from 'memoirist';
import { addRoute, createRouter as createRou3, findRoute } from 'rou3';
import { createMatchTable } from '../framework/src/router/match-table.ts';
import { parsePattern } from '../framework/src/router/pattern.ts';

/** A whole number as the others write it. */
function withRegExp(route: string): string {
  return route.replaceAll('<int>', '(\\d+)');
}

export interface Contender {
  readonly name: string;
  /** Null when the router has no way to say the constraint. */
  readonly make: (routes: readonly string[]) => ((path: string) => unknown) | null;
}

export const contenders: readonly Contender[] = [
  {
    name: 'Seeother',
    make(routes) {
      const table = createMatchTable(
        routes.map((route, index) => ({ index, pattern: parsePattern(route) })),
      );
      return (path) => table.find(path);
    },
  },
  {
    name: 'find-my-way',
    make(routes) {
      const router = FindMyWay();
      for (const route of routes) router.on('GET', withRegExp(route), () => {});
      return (path) => router.find('GET', path);
    },
  },
  {
    name: 'memoirist',
    make(routes) {
      if (routes.some((route) => route.includes('<int>'))) return null;
      const router = new Memoirist<number>();
      for (const [index, route] of routes.entries()) router.add('GET', route, index);
      return (path) => router.find('GET', path);
    },
  },
  {
    name: 'rou3',
    make(routes) {
      const router = createRou3<number>();
      for (const [index, route] of routes.entries())
        addRoute(router, 'GET', withRegExp(route), index);
      return (path) => findRoute(router, 'GET', path);
    },
  },
  {
    name: 'Hono RegExpRouter',
    make(routes) {
      const router = new RegExpRouter<number>();
      for (const [index, route] of routes.entries()) {
        router.add('GET', route.replaceAll('<int>', '{\\d+}'), index);
      }
      return (path) => router.match('GET', path);
    },
  },
];
