/** A number in an address has one spelling: no sign, no leading zero, nothing beyond 2^53. */
export function parseNumber(text: string): number | null {
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
