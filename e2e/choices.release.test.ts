/** choices.test.ts on PostgreSQL. */
import { openLoansOnPostgres } from './open-loans.ts';
import { tellChoices } from './tell-choices.ts';

tellChoices('PostgreSQL', openLoansOnPostgres);
