export { createPasswordHashing, type PasswordHashing } from './hashing.ts';
export { type PasswordPolicy, refuseWeakPassword } from './policy.ts';
export { noteWeakPasswords } from './weak-settings.ts';
