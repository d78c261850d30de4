/** The second factor by one-time codes of an authenticator app. It needs the packages `otpauth` and `qr`. */
export { type Totp, type TotpOptions, totp } from './src/totp/totp.ts';
