import type { ComponentType } from 'react';
import type { Need } from '../../access/rights.ts';

/** Loads the code of a page. The result contains its component by name. */
export type LoadPage = () => Promise<Record<string, ComponentType>>;

/** Page behind the sign-in. */
export type PageRoute = {
  /** Several paths share one page instance: navigation between them does not remount the page. */
  readonly path: string | readonly [string, ...string[]];
  readonly load: LoadPage;
  /** Name of the component in the code of the page. */
  readonly page: string;
  readonly need: Need;
};
