import { describeFileRecords } from './file-records.contract.ts';
import { createMemoryFileRecords } from './memory-file-records.ts';

describeFileRecords('the records in memory', () => ({
  records: createMemoryFileRecords(),
  write: (work) => work(null),
}));
