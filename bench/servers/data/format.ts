/** Numbers and locations, as the application's pages show them. */
export function formatNumber(value: number): string {
  const digits = String(value);
  return digits.length < 4 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** “Office, drawer 2” as “Office, ” and “drawer 2”. */
export function splitLocation(location: string): readonly string[] {
  return location.split(/(?<=[,，]\s*)(?!\s)/);
}
