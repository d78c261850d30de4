/** Metrics and traces: what happens in the process, as events, levels and OpenTelemetry's spans. */
export { type Events, measure, onEvent } from './src/events/events.ts';
export { type LevelName, readLevels } from './src/events/levels.ts';
export { observe } from './src/observe/observe.ts';
