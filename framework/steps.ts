/** A form on several pages. */
export { stepPages } from './src/site/step-pages.ts';
export { steps } from './src/site/steps.ts';
