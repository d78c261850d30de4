/** A form on several pages. */
export { stepPages } from './src/steps/step-pages.ts';
export { type Steps, steps } from './src/steps/steps.ts';
