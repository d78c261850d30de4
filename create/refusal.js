// @ts-check
/** What cannot be done, with the remedy: the user needs no stack. */
export class Refusal extends Error {}
