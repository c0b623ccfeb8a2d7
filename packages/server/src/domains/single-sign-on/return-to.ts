export const homePath = '/svc/home';
const lengthMax = 2_000;
const base = 'http://local.invalid';

/** Returns the target of a sign-in: a path of this service under `/svc`, otherwise the home page. */
export function safeReturnTo(target: string | undefined): string {
  if (target === undefined || target.length > lengthMax) return homePath;
  if (!target.startsWith('/svc') || /[\\\s]|\/\/|%5c|%2f/i.test(target)) return homePath;
  if (!URL.canParse(target, base)) return homePath;
  const url = new URL(target, base);
  const isOurs = url.origin === base && (url.pathname === '/svc' || url.pathname.startsWith('/svc/'));
  // API responses are no pages, and the path of the sign-in would cause a loop.
  return isOurs && !url.pathname.startsWith('/svc/api/')
    ? `${url.pathname}${url.search}${url.hash}`
    : homePath;
}
