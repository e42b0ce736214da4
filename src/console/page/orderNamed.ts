import { z } from 'zod';

/** The type of every page. */
export const pageType = 'text/html; charset=utf-8';

/** The order that an address names. */
export const orderNamed = z.object({ id: z.string().min(1).max(1_000) });
