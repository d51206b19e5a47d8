import { statementCheck, summary, type Check } from "../../core/verify/check.js";

/** An erasure takes minutes. One that is older was cut short: part of the person is gone, and part is still there. */
export const erasureCheck: Check = statementCheck(
  "erasures: none was cut short more than a day ago",
  summary(`
    select concat('organization ', organization_id, ' at ', begun_at) as id, 1 as read,
           begun_at < now() - interval '1 day' as is_wrong
    from person_erasures where organization_id = $1`),
);
