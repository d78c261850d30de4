/** The tables that routers are compared on: of growing size, and one that is in real use. */

export interface Lookups {
  readonly kind: string;
  readonly paths: readonly string[];
}

export interface Table {
  readonly name: string;
  readonly routes: readonly string[];
  readonly lookups: readonly Lookups[];
}

const LOOKUPS = 512;

/** A third each of literal routes, with one parameter and with two; `constraint` follows each name. */
export function growingTable(size: number, constraint = ''): Table {
  const literal = (at: number) => `/resource${at}/part${at % 7}/leaf`;
  const one = (at: number, value = `:id${constraint}`) => `/resource${at}/${value}`;
  const two = (at: number, a = `:id${constraint}`, b = `:other${constraint}`) =>
    `/resource${at}/${a}/part${at % 7}/${b}`;
  const routes = Array.from({ length: size }, (_, at) => [literal, one, two][at % 3]?.(at) ?? '');
  const spread = (remainder: number, make: (at: number) => string) =>
    Array.from({ length: LOOKUPS }, (_, turn) => {
      const count = Math.floor((size - 1 - remainder) / 3) + 1;
      return flat(make(((turn * 7919) % count) * 3 + remainder));
    });
  const value = (at: number) => (constraint === '' ? `abc${at}` : String(1000 + at));
  return {
    name: `${size.toLocaleString('en')} routes${constraint === '' ? '' : `, ${constraint}`}`,
    routes,
    lookups: [
      { kind: 'literal', paths: spread(0, literal) },
      { kind: 'one parameter', paths: spread(1, (at) => one(at, value(at))) },
      { kind: 'two parameters', paths: spread(2, (at) => two(at, value(at), value(at + 1))) },
      { kind: 'miss', paths: spread(1, (at) => `/resource${at}/${value(at)}/nothing/here`) },
    ],
  };
}

/** GET routes of GitHub's API in the shape of its public documentation. */
const GITHUB = `
/authorizations /authorizations/:id /applications/:client_id/tokens/:access_token /events
/repos/:owner/:repo/events /networks/:owner/:repo/events /orgs/:org/events
/users/:user/received_events /users/:user/received_events/public /users/:user/events
/users/:user/events/public /users/:user/events/orgs/:org /feeds /notifications
/repos/:owner/:repo/notifications /notifications/threads/:id /notifications/threads/:id/subscription
/repos/:owner/:repo/stargazers /users/:user/starred /user/starred /user/starred/:owner/:repo
/repos/:owner/:repo/subscribers /users/:user/subscriptions /user/subscriptions
/repos/:owner/:repo/subscription /user/subscriptions/:owner/:repo /users/:user/gists /gists
/gists/:id /gists/:id/star /repos/:owner/:repo/git/blobs/:sha /repos/:owner/:repo/git/commits/:sha
/repos/:owner/:repo/git/refs /repos/:owner/:repo/git/tags/:sha /repos/:owner/:repo/git/trees/:sha
/issues /user/issues /orgs/:org/issues /repos/:owner/:repo/issues /repos/:owner/:repo/issues/:number
/repos/:owner/:repo/assignees /repos/:owner/:repo/assignees/:assignee
/repos/:owner/:repo/issues/:number/comments /repos/:owner/:repo/issues/:number/events
/repos/:owner/:repo/labels /repos/:owner/:repo/labels/:name /repos/:owner/:repo/issues/:number/labels
/repos/:owner/:repo/milestones/:number/labels /repos/:owner/:repo/milestones
/repos/:owner/:repo/milestones/:number /emojis /gitignore/templates /gitignore/templates/:name
/meta /rate_limit /users/:user/orgs /user/orgs /orgs/:org /orgs/:org/members
/orgs/:org/members/:user /orgs/:org/public_members /orgs/:org/public_members/:user /orgs/:org/teams
/teams/:id /teams/:id/members /teams/:id/members/:user /teams/:id/repos
/teams/:id/repos/:owner/:repo /user/teams /repos/:owner/:repo/pulls
/repos/:owner/:repo/pulls/:number /repos/:owner/:repo/pulls/:number/commits
/repos/:owner/:repo/pulls/:number/files /repos/:owner/:repo/pulls/:number/merge
/repos/:owner/:repo/pulls/:number/comments /user/repos /users/:user/repos /orgs/:org/repos
/repositories /repos/:owner/:repo /repos/:owner/:repo/contributors /repos/:owner/:repo/languages
/repos/:owner/:repo/teams /repos/:owner/:repo/tags /repos/:owner/:repo/branches
/repos/:owner/:repo/branches/:branch /repos/:owner/:repo/collaborators
/repos/:owner/:repo/collaborators/:user /repos/:owner/:repo/comments
/repos/:owner/:repo/commits/:sha/comments /repos/:owner/:repo/comments/:id
/repos/:owner/:repo/commits /repos/:owner/:repo/commits/:sha /repos/:owner/:repo/readme
/repos/:owner/:repo/keys /repos/:owner/:repo/keys/:id /repos/:owner/:repo/downloads
/repos/:owner/:repo/downloads/:id /repos/:owner/:repo/forks /repos/:owner/:repo/hooks
/repos/:owner/:repo/hooks/:id /repos/:owner/:repo/releases /repos/:owner/:repo/releases/:id
/repos/:owner/:repo/releases/:id/assets /repos/:owner/:repo/stats/contributors
/repos/:owner/:repo/stats/commit_activity /repos/:owner/:repo/stats/code_frequency
/repos/:owner/:repo/stats/participation /repos/:owner/:repo/stats/punch_card
/repos/:owner/:repo/statuses/:ref /search/repositories /search/code /search/issues /search/users
/users/:user /user /users /user/emails /users/:user/followers /user/followers
/users/:user/following /user/following /user/following/:user /users/:user/following/:target_user
/users/:user/keys /user/keys /user/keys/:id
`;

export function githubTable(): Table {
  const routes = GITHUB.trim().split(/\s+/);
  const fill = (route: string, turn: number) =>
    flat(route.replaceAll(/:(\w+)/g, (_, name) => `${name}${turn % 97}`));
  const withParams = routes.filter((route) => route.includes(':'));
  const literal = routes.filter((route) => !route.includes(':'));
  const pick = (list: readonly string[]) =>
    Array.from({ length: LOOKUPS }, (_, turn) => fill(list[(turn * 31) % list.length] ?? '', turn));
  return {
    name: `GitHub API, ${routes.length} routes`,
    routes,
    lookups: [
      { kind: 'literal', paths: pick(literal) },
      { kind: 'with parameters', paths: pick(withParams) },
      { kind: 'miss', paths: pick(withParams).map((path) => flat(`${path}/nothing`)) },
    ],
  };
}

/** As a parser gives a path: one flat text, not a tree of pieces that were put together. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
