import { ProviderButton } from "./provider-button.js";
import { useEnterSession } from "./session.js";
import { SignInCard } from "./sign-in-card.js";
import { SignInForm } from "./sign-in-form.js";

export function SignIn() {
  const enter = useEnterSession();
  return (
    <SignInCard
      title="Sign in"
      hint="No account yet? Ask an admin of your organization or the operator of this service to invite you."
    >
      <SignInForm onSignedIn={enter} />
      <ProviderButton />
    </SignInCard>
  );
}
