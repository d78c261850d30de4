/** Jobs of an outbox that run at set times. It needs the package `croner`. */
export { type Cron, every, type ScheduleOptions } from './src/database/every.ts';
export type { ScheduledJob } from './src/database/job.ts';
