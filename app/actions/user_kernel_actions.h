// What actions do that concern kernels of one's own, their files and the one-line inputs: the part of apply()
// that apply.cpp hands on.
#pragma once

#include <functional>

#include "app/simulate/simulation.h"
#include "app/state/action.h"
#include "app/state/catalog.h"

namespace warplens::app {

struct UserKernelActions {
  State& state;
  const Simulation& simulation;
  const Catalog& catalog;
  // Makes these the settings; those before can be had again. Changes of one gesture are one step.
  std::function<void(Settings, const std::string& gesture)> change;
  std::function<void(const Action&)> again;  // does another action

  void operator()(const OpenText& a);
  void operator()(const KernelSettled& a);
  void operator()(const EndReading& a);
  void operator()(const TakeSettings& a);
  void operator()(const SetFormField& a);
  void operator()(const ChooseKernel& a);
  void operator()(const UseLaunch& a);
  void operator()(const SetIndexExpression& a);
  void operator()(const ShowForm& a);
  void operator()(const FocusField& a);
  void operator()(const EditField& a);
  void operator()(const LeaveField& a);
  void operator()(const NextField& a);
  void operator()(const ShowDialog& a);
  void operator()(const CloseDialog& a);
  void operator()(const SelectEntry& a);
  void operator()(const MoveSelection& a);
  void operator()(const ChooseEntry& a);
  void operator()(const GoToParent& a);
  void operator()(const ShowFolder& a);
  void operator()(const OpenPath& a);
  void operator()(const Save& a);
  void operator()(const WasSaved& a);
  void operator()(const CouldNotSave& a);
  void operator()(const ShowNotice& a);
  void operator()(const DismissNotice& a);
  void operator()(const Recover& a);
  void operator()(const Discard& a);
  void operator()(const Quit& a);
  void operator()(const Leave& a);
  void operator()(const Halt& a);
  void operator()(const ShowShare& a);
  void operator()(const ChooseShare& a);
  void operator()(const MoveShare& a);
  void operator()(const Export& a);
  void operator()(const OfferParameter& a);
  void operator()(const ShareTold& a);
  void operator()(const TakeIn& a);
  void operator()(const CopyPlace& a);
  void operator()(const OpenPlace& a);
  void operator()(const TakeLink& a);

 private:
  std::string text() const;
  void trouble(const Message& words, const std::string& key = "files.trouble");
  void read(const std::string& path, std::vector<std::string> more = {});
  void save_as_typed();
};

}  // namespace warplens::app
