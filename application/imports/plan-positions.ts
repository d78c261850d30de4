/**
 * The positions of the pieces of a plan. Each plan of an import has its own, so that one can be made while another one
 * is shown or made.
 */
const PIECES = 1_000_000;

export function positionsOf(plan: number) {
  return { first: plan * PIECES, last: (plan + 1) * PIECES - 1 };
}
