/** A company's sign-in by OpenID Connect. It needs the packages `openid-client` and `jose`. */
export { type Claims, type OpenIdOptions, openId } from './src/openid/open-id.ts';
export type {
  Away,
  Begun,
  LogOut,
  Provider,
  Refused,
  SignedIn,
  SignIn,
} from './src/openid/provider.ts';
