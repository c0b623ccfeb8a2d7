import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HostMembership, HostPrincipal } from '@svc/server';

/**
 * The people and sessions of this example, in memory and without passwords: an application has its own already, and
 * this file is where it would ask them.
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

/** Begins a session; the value of the `Set-Cookie` header, or undefined for a name that nobody has. */
export function signIn(name: string): string | undefined {
  const person = people.find(({ userName }) => userName === name);
  if (!person) return undefined;
  const token = randomBytes(32).toString('base64url');
  sessions.set(token, person);
  return `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Lax`;
}

/** Who makes a request: what the service asks about each of its own. */
export function principalOf(request: IncomingMessage): HostPrincipal | null {
  const cookies = (request.headers.cookie ?? '').split(/;\s*/);
  const token = cookies.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
  return (token !== undefined && sessions.get(token)) || null;
}

/** In which projects of the service somebody is a member. */
export const membershipsOf = ({ id }: HostPrincipal): readonly HostMembership[] => members.get(id) ?? [];

/** Makes somebody a member of a project of the service; false when nobody has the name. */
export function addMember(name: string, membership: HostMembership): boolean {
  const person = people.find(({ userName }) => userName === name);
  if (!person) return false;
  members.set(person.id, [...membershipsOf(person), membership]);
  return true;
}

/** The page on which this application's users sign in. */
export const loginPage = `<!doctype html><title>Sign in</title><h1>Who are you?</h1><form method="post" action="/login">
${names.map((name) => `<button name="name" value="${name}">${name}</button>`).join('\n')}</form>`;
