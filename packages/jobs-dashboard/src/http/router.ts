import { Problem } from '../problem.ts';
import type { Route, RouteMatch } from './route.ts';

type Compiled = { readonly route: Route; readonly parts: readonly string[] };

function match(parts: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (parts.length !== segments.length) return null;
  const params: Record<string, string> = Object.create(null);
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? '';
    if (part.startsWith('{')) {
      if (segment === '') return null;
      params[part.slice(1, -1)] = segment;
    } else if (part !== segment) return null;
  }
  return params;
}

/** Returns a function that finds the route of a method and path. A literal segment takes precedence over a parameter. */
export function createRouter(
  routes: readonly Route[],
): (method: string, segments: readonly string[]) => RouteMatch {
  const compiled: Compiled[] = routes
    .map((route) => ({ route, parts: route.path.split('/').slice(1) }))
    .sort((a, b) => parameters(a) - parameters(b));
  return (method, segments) => {
    const routeMethod = method === 'HEAD' ? 'GET' : method;
    const allowed = new Set<string>();
    for (const { route, parts } of compiled) {
      const params = match(parts, segments);
      if (!params) continue;
      if (route.method === routeMethod) return { route, params };
      allowed.add(route.method);
    }
    if (allowed.size === 0) {
      throw new Problem('not-found', 'The dashboard has no such address.');
    }
    if (allowed.has('GET')) allowed.add('HEAD');
    const list = [...allowed].join(', ');
    throw new Problem('method-not-allowed', `This path takes ${list}.`, { headers: { allow: list } });
  };
}

const parameters = ({ parts }: Compiled): number => parts.filter((part) => part.startsWith('{')).length;
