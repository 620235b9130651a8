import { t } from "@lingui/core/macro";
import { LegalPage } from "./legal-page";

export default function Rules() {
  return <LegalPage page="rules" title={t`Rules`} />;
}
