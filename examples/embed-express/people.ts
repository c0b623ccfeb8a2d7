import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HostMembership, HostPrincipal } from '@svc/server';

/**
 * Users and sessions of this example, in memory and without passwords. A real application already has them and queries
 * them here.
 */
const people: readonly HostPrincipal[] = [
  { id: 'u-1', userName: 'ada', roles: ['Admin'] },
  { id: 'u-2', userName: 'grace', roles: ['Editor'] },
  { id: 'u-3', userName: 'edsger', roles: ['Viewer'] },
];
const sessions = new Map<string, HostPrincipal>();
const members = new Map<string, HostMembership[]>();

const cookieName = 'app-session';
export const names: readonly string[] = people.map(({ userName = '' }) => userName);

/** Starts a session. Returns the value of the `Set-Cookie` header, or undefined for an unknown name. */
export function signIn(name: string): string | undefined {
  const person = people.find(({ userName }) => userName === name);
  if (!person) return undefined;
  const token = randomBytes(32).toString('base64url');
  sessions.set(token, person);
  return `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Lax`;
}

/** Returns the user of a request. The service calls it for each of its requests. */
export function principalOf(request: IncomingMessage): HostPrincipal | null {
  const cookies = (request.headers.cookie ?? '').split(/;\s*/);
  const token = cookies.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
  return (token !== undefined && sessions.get(token)) || null;
}

/** Returns the user's memberships in projects of the service. */
export const membershipsOf = ({ id }: HostPrincipal): readonly HostMembership[] => members.get(id) ?? [];

/** Makes a user a member of a project of the service. Returns false for an unknown name. */
export function addMember(name: string, membership: HostMembership): boolean {
  const person = people.find(({ userName }) => userName === name);
  if (!person) return false;
  members.set(person.id, [...membershipsOf(person), membership]);
  return true;
}

/** Sign-in page of this application. */
export const loginPage = `<!doctype html><title>Sign in</title><h1>Who are you?</h1><form method="post" action="/login">
${names.map((name) => `<button name="name" value="${name}">${name}</button>`).join('\n')}</form>`;
