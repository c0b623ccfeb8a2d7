import type { RouteTemplate } from './route-template.ts';

/** Finds the route for a request's method and path. */
export type RouteTable<T> = {
  add(method: string, template: RouteTemplate, route: T): void;
  find(
    method: string | undefined,
    path: string,
  ): { readonly route: T; readonly params: Readonly<Record<string, string>> } | null;
};

type Entry<T> = { readonly template: RouteTemplate; readonly route: T };

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/** Creates an empty table. Templates without parameters match first, then the other templates in the order of addition. */
export function createRouteTable<T>(): RouteTable<T> {
  const fixed = new Map<string, T>();
  const byMethod = new Map<string, Entry<T>[]>();
  return {
    add: (method, template, route) => {
      if (!template.identity.includes('{')) fixed.set(`${method} ${template.identity.toLowerCase()}`, route);
      byMethod.set(method, [...(byMethod.get(method) ?? []), { template, route }]);
    },
    find: (method = '', path) => {
      const route = fixed.get(`${method} ${path}`);
      if (route !== undefined) return { route, params: noParams };
      for (const entry of byMethod.get(method) ?? []) {
        const params = entry.template.match(path);
        if (params) return { route: entry.route, params };
      }
      return null;
    },
  };
}
