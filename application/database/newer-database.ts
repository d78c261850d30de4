/** A newer version of the application has migrated the database: the tables may not be as this one needs them. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';

  /** `migration` is one that this version does not have. */
  constructor(migration: string) {
    super(
      `migrations: ${migration} is not known here, so a newer version has used this database. Start that version.`,
    );
  }
}
