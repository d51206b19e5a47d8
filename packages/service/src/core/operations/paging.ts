import { maxPage } from "@gatehouse-parking/contract";

/** One page of a list. All lists have this shape. */
export interface Page<T> {
  data: T[];
  totalCount: number;
  pageSize: number;
  currentPage: number;
  totalPages: number;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
}

export interface PageRequest {
  page: number;
  pageSize: number;
}

/** Numbers out of range are clamped. Invalid numbers get the default. */
export function readPageRequest(
  query: { page?: unknown; pageSize?: unknown },
  sizes: { defaultPageSize: number; maxPageSize: number },
): PageRequest {
  return {
    page: clamp(query.page, 1, maxPage, 1),
    pageSize: clamp(query.pageSize, 1, sizes.maxPageSize, sizes.defaultPageSize),
  };
}

/** A number in the range. Invalid values get the default. The last of repeated values counts. */
export function clamp(value: unknown, minimum: number, maximum: number, otherwise: number): number {
  const text = Array.isArray(value) ? value.at(-1) : value;
  if (typeof text !== "string" || !/^\s*[+-]?\d+(\.\d+)?\s*$/.test(text)) return otherwise;
  return Math.min(maximum, Math.max(minimum, Math.trunc(Number(text))));
}

export function toPage<T>(data: T[], totalCount: number, { page, pageSize }: PageRequest): Page<T> {
  const totalPages = Math.ceil(totalCount / pageSize);
  return {
    data,
    totalCount,
    pageSize,
    currentPage: page,
    totalPages,
    hasPreviousPage: page > 1 && totalPages > 0,
    hasNextPage: page < totalPages,
  };
}
