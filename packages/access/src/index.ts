export { AuthError, type AuthErrorCode, type AuthErrorOptions } from './auth-error.js';
export {
  type AccessDecision,
  type AccessedObject,
  type Authorizer,
  type AuthorizerOptions,
  type GrantedPermission,
  type JwtAuthorizerOptions,
  jwtAuthorizer,
  type PassportAuthorizerOptions,
  passportAuthorizer,
} from './authorizer.js';
export type { SubjectBinding } from './passport/identities.js';
export type { PassportOptions } from './passport/passport-reader.js';
export type { Visa } from './passport/visa.js';
export type { TrustedIssuer } from './passport/visa-verifier.js';
export type { AccessRequest, Bearer, Policy } from './policy.js';
export { type AccessRule, type ClaimValue, rules } from './rules/rules.js';
export { type ServicePolicyOptions, servicePolicy } from './service-policy.js';
export type { SignatureAlgorithm, TokenOptions } from './tokens/bearer-token.js';
