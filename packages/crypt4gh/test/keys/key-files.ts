/** The public key of the secret key whose bytes are 1 to 32, which all files below hold. */
export const PUBLIC_KEY_HEX = '07a37cbc142093c8b755dc1b10e86cb426374ad16aa853ed0bdfc0b2b86d1c7c';
export const SECRET_KEY_BYTES: Uint8Array = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
export const PASSPHRASE = 'passphrase';

/** The content of secret key files, encrypted by the functions of Python's crypt4gh 1.8.6. */
export const SECRET_KEY_FILES = {
  none: 'YzRnaC12MQAEbm9uZQAEbm9uZQAgAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=',
  scrypt:
    'YzRnaC12MQAGc2NyeXB0ABQAAAAAAAECAwQFBgcICQoLDA0ODwARY2hhY2hhMjBfcG9seTEzMDUAPAAAAAAAAAAAAAAAAJiXqJgl0VZGZFxmPHNLvDuCcOovbD+q3mK4OCP4doXrmKG13tGmGfF0mQN2mAuzggAJYSBjb21tZW50',
  bcrypt:
    'YzRnaC12MQAGYmNyeXB0ABQAAAAEAAECAwQFBgcICQoLDA0ODwARY2hhY2hhMjBfcG9seTEzMDUAPAAAAAAAAAAAAAAAAC4QiDtk0VAKcZ+c6DHQ9TfUEl+ST/gYrO8avJ6dZ0wSEF3Dmvb9sMyPtqYrNIUxHAAJYSBjb21tZW50',
  pbkdf2:
    'YzRnaC12MQAScGJrZGYyX2htYWNfc2hhMjU2ABQAAAPoAAECAwQFBgcICQoLDA0ODwARY2hhY2hhMjBfcG9seTEzMDUAPAAAAAAAAAAAAAAAAPQbAIiltqn1NinbiIp/842vz5zgLmSFnYiYPk/4oTG461XWI8QcQwBp97E1v1M6LwAJYSBjb21tZW50',
} as const;

/** Returns the PEM file of a secret key. */
export function toSecretPem(base64: string, label = 'CRYPT4GH PRIVATE KEY'): string {
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
}
