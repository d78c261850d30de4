/** The key of an account's name. Usernames that differ only in case have the same key. */
export function toUsernameKey(username: string): string {
  return username.toLowerCase();
}
