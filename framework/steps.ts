/** A form on several pages. */
export { stepPages } from './src/steps/step-pages.ts';
export { steps } from './src/steps/steps.ts';
