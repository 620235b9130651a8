import { t } from "@lingui/core/macro";
import { LegalPage } from "./legal-page";

export default function Imprint() {
  return <LegalPage page="imprint" title={t`Imprint`} />;
}
