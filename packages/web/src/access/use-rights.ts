import { useQuery } from '@tanstack/react-query';
import { permissions } from '../requests/session.ts';
import { noRights, type Rights } from './rights.ts';

/** What the signed-in person may do; nothing while it is not known. */
export const useRights = (): Rights => useQuery(permissions).data ?? noRights;
