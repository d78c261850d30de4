/** The test of a contract suite of stores, as far as a store needs it. Declared without `@types/node`. */

export interface StoreTest {
  /** Registers what is called when the test has ended. */
  after(release: () => unknown): void;
}
