"""A shorter numba pipeline for the functions that kernels call: they are typed and lowered only.

By default, numba compiles each called function to machine code, and then each caller again together
with what it calls, up to the kernel. A draft is only linked into its callers, so that the optimiser
and the assembler process everything once, in the kernel. Passes that plain functions over numbers
do not need, such as closures and array expressions, are left out.
"""
# mypy: disable-error-code="no-untyped-call"
# because numba.core has no types

from typing import Any

from numba.core import typed_passes, untyped_passes
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager, register_pass


class CodeDraft(CPUCodeLibrary):
    """Code to be linked into other code. No machine code is generated from it alone."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    @property
    def codegen(self) -> "CodeDraft":
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Does nothing: drafts use no Python objects."""


@register_pass(mutates_CFG=True, analysis_only=False)
class DraftLowering(typed_passes.NativeLowering):
    _name = "draft_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = CodeDraft(state.targetctx.codegen(), state.func_id.func_qualname)
        return bool(super().run_pass(state))


class Drafting(CompilerBase):
    """The compiler for functions that are called by others."""

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("draft")
        for each in PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.InlineOverloads,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    DraftLowering,
    typed_passes.NoPythonBackend,
)
