/**
 * Why a place was not changed. It is thrown so that the transaction rolls back, and shown as an error of the field, or
 * as a conflict of the whole form.
 */
export class PlaceRefused extends Error {
  override readonly name = 'PlaceRefused';
  readonly field: 'name' | 'inside' | 'places' | null;
  readonly status: 400 | 409;

  constructor(message: string, field: PlaceRefused['field'] = null, status: 400 | 409 = 400) {
    super(message);
    this.field = field;
    this.status = status;
  }
}
