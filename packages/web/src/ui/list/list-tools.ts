import { type ComponentType, createContext } from 'react';

/**
 * Component next to the column choice of every list that can be filtered. The frame provides it, because `ui` has no
 * knowledge of records. `list` is the name of the list.
 */
export const ListTools = createContext<ComponentType<{ readonly list: string }> | null>(null);
