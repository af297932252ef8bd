// A GPU elsewhere: through a launcher, through a link that drops at any byte, and through a real sshd on
// loopback with keys and settings of its own. What is in the home folder is neither read nor written.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "tests/gpu/measure/stand_in.h"
#include "tests/scenario/folder.h"

namespace warplens::measure {
namespace link_test {

using testing::HasSubstr;
namespace fs = std::filesystem;

// Every byte of a whole conversation: a failure in words each time, until the last byte has come through.
TEST(Link, MayDropAtAnyByte) {
  int drops = 0;
  for (int bytes = 0; bytes < 20000; ++bytes) {
    GpuClient client(
        {WARPLENS_BIN_DIR "/drop-link", std::to_string(bytes), WARPLENS_BIN_DIR "/stand-in-gpu", "good"},
        options_for("good"));
    const auto result = measure_once(client);
    if (std::holds_alternative<Measurement>(result)) break;
    const Failure& failure = std::get<Failure>(result);
    ASSERT_TRUE(failure.kind == FailureKind::Protocol || failure.kind == FailureKind::Start)
        << failure.words();
    ASSERT_THAT(failure.message, testing::AnyOf(HasSubstr("exit code 255"), HasSubstr("not a warplens-gpu"),
                                                HasSubstr("is gone"), HasSubstr("ended")))
        << bytes;
    ++drops;
  }
  EXPECT_GT(drops, 1000);  // the hello and the measurement have more bytes than that
  EXPECT_LT(drops, 20000);
}

class Folder : public testing::Test {
 protected:
  const scenario::Folder own;
  const fs::path folder = own.path();
  fs::path write(const std::string& name, const std::string& text, fs::perms perms = fs::perms::owner_all) {
    fs::permissions(own.write(name, text), perms);
    return folder / name;
  }
};

using Launcher = Folder;

// As srun does: words on standard error, a wait, then the program with our pipes.
TEST_F(Launcher, MayQueueBeforeItStartsTheProgram) {
  const fs::path srun =
      write("srun",
            "#!/bin/sh\necho 'srun: job 7 queued and waiting for resources' >&2\nsleep 0.3\n"
            "shift 2\nexec \"$@\"\n");
  Message error;
  GpuClient client(gpu_command(srun.string() + " -p gpu " WARPLENS_BIN_DIR "/stand-in-gpu good", error),
                   options_for("good"));
  EXPECT_EQ(client.wait_for_status(kPatience).state, ClientState::Ready) << client.status().failure.words();
  EXPECT_TRUE(std::holds_alternative<Measurement>(measure_once(client)));
}

// A server on 127.0.0.1 with its own host key, user key and settings.
class Ssh : public Folder {
 protected:
  std::unique_ptr<ChildProcess> server;
  int port = 0;
  bool made_run_folder = false;
  int lock = -1;

  // One server at a time, also among test programs that run side by side: /run/sshd is theirs together.
  void SetUp() override {
    Folder::SetUp();
    lock = open((fs::temp_directory_path() / "warplens-test-sshd.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC,
                0666);
    if (lock >= 0) flock(lock, LOCK_EX);
    ASSERT_TRUE(fs::exists("/usr/sbin/sshd")) << "no sshd here (Debian: openssh-server)";
    for (const char* key : {"host", "user"})
      ASSERT_EQ(std::system(("ssh-keygen -q -t ed25519 -N '' -f " + (folder / key).string()).c_str()), 0)
          << "no ssh-keygen here (Debian: openssh-client)";
    fs::copy_file(folder / "user.pub", folder / "authorized");
    // Run by root, sshd wants this folder; the system's own start makes it.
    if (getuid() == 0 && !fs::exists("/run/sshd")) made_run_folder = fs::create_directory("/run/sshd");
    // Another program may take the port between the asking and the listening.
    for (int attempt = 0; attempt < 5 && !listens(); ++attempt) start_server();
    ASSERT_TRUE(listens()) << "this sshd does not start: "
                           << (server ? server->how_it_ended().english() : "");
  }
  void TearDown() override {
    if (server) kill(-server->pid(), SIGKILL);
    server.reset();
    if (made_run_folder) fs::remove("/run/sshd");
    if (lock >= 0) close(lock);
    Folder::TearDown();
  }
  void start_server() {
    port = free_port();
    const fs::path config =
        write("sshd_config", "ListenAddress 127.0.0.1\nPort " + std::to_string(port) + "\nHostKey " +
                                 (folder / "host").string() + "\nPidFile none\nAuthorizedKeysFile " +
                                 (folder / "authorized").string() +
                                 "\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
                                 "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n");
    Message error;
    server = ChildProcess::start({"/usr/sbin/sshd", "-D", "-e", "-f", config.string()}, error);
  }
  bool listens() { return server && answers() && server->running(); }
  static int listening(sockaddr_in& address) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return fd;
  }
  static int free_port() {
    sockaddr_in address;
    socklen_t size = sizeof address;
    const int fd = listening(address);
    bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
    getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    close(fd);
    return ntohs(address.sin_port);
  }
  bool answers() {
    for (int i = 0; i < 12'000 && server->running(); ++i) {
      sockaddr_in address;
      const int fd = listening(address);
      address.sin_port = htons(static_cast<std::uint16_t>(port));
      const bool open = connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
      close(fd);
      if (open) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    return false;
  }
  // What a person would type behind --via, but for the settings that keep the home folder out of it.
  std::string via(const std::string& program) const {
    return "ssh -F /dev/null -p " + std::to_string(port) + " -i " + (folder / "user").string() +
           " -o BatchMode=yes -o IdentitiesOnly=yes -o IdentityAgent=none -o StrictHostKeyChecking=no"
           " -o GlobalKnownHostsFile=/dev/null -o UserKnownHostsFile=" +
           (folder / "known").string() + " 127.0.0.1 " + program;
  }
};

// What goes wrong there is said in ssh's own last words, as a stand-in says them: client_test.cpp.
TEST_F(Ssh, BringsAMeasurementFromTheOtherEnd) {
  Message error;
  GpuClient client(gpu_command(via(WARPLENS_BIN_DIR "/stand-in-gpu good"), error), options_for("good"));
  const ClientStatus status = client.wait_for_status(kPatience);
  ASSERT_EQ(status.state, ClientState::Ready) << status.failure.words();
  EXPECT_EQ(status.gpu->name, "Stand-in GPU");
  EXPECT_TRUE(std::holds_alternative<Measurement>(measure_once(client)));
}

}  // namespace link_test
}  // namespace warplens::measure
