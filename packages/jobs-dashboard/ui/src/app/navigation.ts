/** Page of the navigation. Typing `g` and then `key` opens it. */
export type NavigationItem = {
  readonly path: string;
  readonly name: string;
  readonly key: string;
  readonly icon: string;
};

export const navigation: readonly NavigationItem[] = [
  {
    path: '/',
    name: 'Overview',
    key: 'o',
    icon: 'M2.500 13.500v-5M6 13.500v-9M9.500 13.500V7M13 13.500v-11',
  },
  { path: '/jobs', name: 'Jobs', key: 'j', icon: 'M2.500 4h11M2.500 8h11M2.500 12h7' },
  {
    path: '/recurring',
    name: 'Recurring',
    key: 'r',
    icon: 'M13 8a5 5 0 1 1-1.500-3.500M13 2v3h-3M8 5.500V8l2 1.200',
  },
  {
    path: '/servers',
    name: 'Servers',
    key: 's',
    icon: 'M2.500 3h11v4h-11zM2.500 9h11v4h-11zM5 5h.01M5 11h.01',
  },
];

/** Navigation item, shown only while endpoint observability is active. */
export const endpointsItem: NavigationItem = {
  path: '/endpoints',
  name: 'Endpoints',
  key: 'e',
  icon: 'M2.500 8h7M7 5l3 3-3 3M13.500 3v10',
};
